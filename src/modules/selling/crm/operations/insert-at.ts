/** Returns the rows in their new order, with `row` at `position`. */
export function insertAt<Row extends { position: number }>(
  otherRows: Row[],
  row: Row,
  position: number,
): Row[] {
  const reordered = [...otherRows]
  reordered.splice(Math.min(position, otherRows.length), 0, row)
  return reordered.map((row, place) => ({ ...row, position: place }))
}
