/** The name and the description of a schema in the API document. */
export type Component = { name: string; description: string }

/**
 * Names a schema in the API document, for `.meta()`: generated clients use the name for its type. A schema whose requests
 * and replies differ becomes two components; that of requests ends with `Input`.
 */
export const component = (name: string, description: string): { component: Component } => ({
  component: { name, description },
})
