/** Returns the path of the bundled server if no source changed since; undefined otherwise. */
export function findServerBundle(root: string): string | undefined
