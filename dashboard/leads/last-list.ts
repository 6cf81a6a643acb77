/** Remembers the list that the member last saw, so that the page of a lead leads back to it and to its other leads. */

export type LastList = {
  /** The address of the list. */
  search: Record<string, unknown>
  /** Its leads, in their order. */
  leadIds: readonly string[]
  /** The lead that was opened or selected. */
  leadId: string | undefined
}

const lists = new Map<string, LastList>()

export const lastList = (workspace: string): LastList =>
  lists.get(workspace) ?? { search: {}, leadIds: [], leadId: undefined }

export const rememberList = (workspace: string, change: Partial<LastList>): void =>
  void lists.set(workspace, { ...lastList(workspace), ...change })

/** Returns the lead `by` places after a lead in the list. */
export function leadBeside(workspace: string, leadId: string, by: 1 | -1): string | undefined {
  const { leadIds } = lastList(workspace)
  const place = leadIds.indexOf(leadId)
  return place < 0 ? undefined : leadIds[place + by]
}
