/**
 * Limits of one file. Files come from users and from the service, and a small file can be built to fill any memory. Documented in
 * docs/enrichment.md, "Limits".
 */
export const fileLimits = {
  columns: 1_000,
  /** Of the whole header row. */
  headerCharacters: 100_000,
  rowCharacters: 1_000_000,
  /** As in Python's csv module. */
  csvCellCharacters: 131_072,
  csvRows: 5_000_000,
  /** Excel's own limits. */
  xlsxCellCharacters: 32_767,
  xlsxRows: 1_048_576,
  /** All parts of an Excel file, by the sizes in its directory. */
  unpackedBytes: 2_000_000_000,
  /** The shared texts of an Excel file, which are kept in memory while the sheet is read. */
  sharedTextBytes: 500_000_000,
  sharedTexts: 5_000_000,
  sharedTextCharacters: 100_000_000,
  /** Any other part except sheets: names of sheets, number formats. */
  smallPartBytes: 32_000_000,
  /** Cells that an enrichment keeps in memory until the order is placed. */
  keptCharacters: 100_000_000,
  /** Heap of the reader thread. */
  memoryMegabytes: 512,
} as const;

/** `1,048,576` */
export function formatLimit(limit: number): string {
  return limit.toLocaleString('en');
}
