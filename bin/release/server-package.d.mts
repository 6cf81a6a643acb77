/** Returns the paths of the packages of others in the lock file that it contains or installs. */
export declare function writeServerPackage(root: string, folder: string): Promise<Set<string>>
