/** Returns a result as text for people: a table for a list, else one line for each field. */
export function formatForPeople(answer: object): string {
  const fields = Object.entries(answer)
  // A list may have a verdict, which its rows and the exit code already express.
  const list = fields.find(
    ([, value]) => Array.isArray(value) && value.every((row) => typeof row === 'object'),
  )
  if (list && fields.every(([name]) => name === list[0] || name === 'ok'))
    return list[1].length > 0 ? table(list[1]) : `No ${list[0]}.`
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n')
}

// Returns rows with the same fields as columns under their names.
function table(rows: object[]): string {
  const names = Object.keys(rows[0] ?? {})
  const cells = [names, ...rows.map((row) => Object.values(row).map(cell))]
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.length > 0 ? value.map(cell).join(',') : '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
