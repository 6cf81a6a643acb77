/** The name and the description of a schema in the API document. */
export type Component = { name: string; description: string }

/**
 * Names a schema in the API document, for `.meta()`: generated clients use the name for its type. A schema whose requests
 * and replies differ becomes two components; that of requests ends with `Input`.
 */
export const component = (name: string, description: string): { component: Component } => ({
  component: { name, description },
})

/** Leaves the name out of a JSON Schema that is not part of the API document. For `override` of `z.toJSONSchema`. */
export function dropComponent({ jsonSchema }: { jsonSchema: object }): void {
  delete (jsonSchema as { component?: Component }).component
}
