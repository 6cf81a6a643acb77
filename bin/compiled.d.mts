export declare const serviceSources: (root: string) => string[]
export declare function compiledMark(root: string, cache: string, flags: string[]): string
