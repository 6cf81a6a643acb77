export declare const NODE_PACKAGES: Record<string, string>
export declare function bundledNode(root: string, platform: string, arch: string): string | undefined
export declare function isNewEnough(version: string, root: string): boolean
export declare function oldestNode(root: string): number
export declare function findNode(
  root: string,
  machine?: Pick<NodeJS.Process, 'platform' | 'arch' | 'version' | 'execPath'>,
): string
