import type { PagesState } from './pages.mjs'
export declare function buildPages(root: string): Promise<PagesState | undefined>
export declare function buildSite(root: string): Promise<PagesState | undefined>
