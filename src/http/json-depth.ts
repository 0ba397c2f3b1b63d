/** Deeper than any answer of the service or of HubSpot. What reads answers calls itself once for each level. */
const mostLevels = 100;
export const nestedTooDeep = `nested more than ${mostLevels} levels deep`;

const quote = 0x22;
const backslash = 0x5c;

/** Whether a JSON text nests more than 100 arrays and objects. Reads the text once and does not parse it. */
export function isNestedTooDeep(json: string): boolean {
  let level = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === 0x5b || code === 0x7b) level += 1;
    else if (code === 0x5d || code === 0x7d) level -= 1;
    if (level > mostLevels) return true;
  }
  return false;
}
