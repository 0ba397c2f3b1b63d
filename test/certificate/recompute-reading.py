"""Computes the digest of the first reading of a certificate from an export. Shares no code with prospect-sync."""
import hashlib, json, sys

def without_wordings(value):
    if isinstance(value, list):
        return [without_wordings(item) for item in value]
    if isinstance(value, dict):
        kept = {key: without_wordings(field) for key, field in value.items() if key not in ("message", "label")}
        return dict(sorted(kept.items(), key=lambda member: member[0].encode("utf-16-be")))
    return value

reading = hashlib.sha256()
for line in open(sys.argv[1], encoding="utf-8"):
    slot = without_wordings(json.loads(line)["slot"])
    canonical = json.dumps(slot, ensure_ascii=False, separators=(",", ":"))
    reading.update(hashlib.sha256(canonical.encode("utf-8")).hexdigest().encode("ascii"))
print(reading.hexdigest())
