/** Remembers the list that the member last saw, so that the page of a lead leads back to it. */

export type LastList = {
  /** The address of the list. */
  search: Record<string, unknown>
  /** The lead that was opened or selected. */
  leadId: string | undefined
}

const lists = new Map<string, LastList>()

export const lastList = (workspace: string): LastList =>
  lists.get(workspace) ?? { search: {}, leadId: undefined }

export const rememberList = (workspace: string, list: LastList): void => void lists.set(workspace, list)
