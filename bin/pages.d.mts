export type PagesState = { hash: string; state: 'building' | 'built' | 'failed'; reason?: string }
export declare function pagesFolder(root: string): string
export declare function pagesHash(root: string): string | undefined
export declare function siteFolder(root: string): string
export declare function siteHash(root: string): string | undefined
export declare function readPagesState(folder: string): PagesState | undefined
export declare function writePagesState(folder: string, state: PagesState): void
export declare function isBuilt(folder: string, hash: string): boolean
export declare function builds(folder: string): string[]
