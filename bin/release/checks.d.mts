export declare function checkVersion(root: string, version: string): string[]
export declare function checkChangelog(root: string, version: string): string[]
export declare function checkMigrations(root: string): string[]
export declare function checkLicenses(root: string): string[]
