export declare const NODE_PACKAGES: Record<string, string>
export declare function bundledNode(root: string, platform: string, arch: string): string | undefined
