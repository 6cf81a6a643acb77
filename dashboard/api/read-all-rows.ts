const [PAGE, MAX_PAGES] = [100, 20]

/** Reads every row of a list of choices, page by page; `name`: the name of the rows in the response. */
export async function readAllRows<Name extends string, Row>(
  name: Name,
  read: (page: {
    limit: number
    cursor: string | undefined
  }) => Promise<Record<Name, readonly Row[]> & { nextCursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await read({ limit: PAGE, cursor })
    rows.push(...page[name])
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  return rows
}
