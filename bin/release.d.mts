export declare function writeRelease(root: string, version: string, folder: string): Promise<string[]>
