/** Makes an endpoint an action of workflow programs such as n8n (docs/decisions/n8n.md). */
export type Action = {
  /** The name that people see: two to five words. */
  title: string
}
