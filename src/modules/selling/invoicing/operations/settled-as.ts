import type { DocumentRow } from '../queries/documents.ts'

/** Returns the status of an issued document for its amounts. */
export function settledAs(
  row: Pick<DocumentRow, 'totalMinor' | 'receivedMinor' | 'tdsMinor' | 'creditedMinor'>,
): 'issued' | 'partially_paid' | 'paid' {
  const settledMinor = row.receivedMinor + row.tdsMinor + row.creditedMinor
  if (settledMinor >= row.totalMinor) return 'paid'
  return settledMinor > 0 ? 'partially_paid' : 'issued'
}
