/**
 * What is read of one file at most: files come from users and from the service, and a small one can be made to fill any memory.
 * Users find these figures in docs/enrichment.md, "Limits".
 */
export const fileLimits = {
  columns: 1_000,
  /** Of the header row as a whole. */
  headerCharacters: 100_000,
  rowCharacters: 1_000_000,
  /** As in Python's csv module. */
  csvCellCharacters: 131_072,
  csvRows: 5_000_000,
  /** Excel's own limits. */
  xlsxCellCharacters: 32_767,
  xlsxRows: 1_048_576,
  /** All parts of an Excel file, as its directory announces them. */
  unpackedBytes: 2_000_000_000,
  /** The part with the texts of an Excel file, and how many there are: they are held in memory while the sheet is read. */
  sharedTextBytes: 500_000_000,
  sharedTexts: 5_000_000,
  sharedTextCharacters: 100_000_000,
  /** Any other part beside the sheet: names of sheets, number formats. */
  smallPartBytes: 32_000_000,
  /** What an enrichment keeps of the cells of a file until the order is placed. */
  keptCharacters: 100_000_000,
  /** Heap of the thread that reads. */
  memoryMegabytes: 512,
} as const;

/** `1,048,576` */
export function formatLimit(limit: number): string {
  return limit.toLocaleString('en');
}
