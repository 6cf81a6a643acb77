export declare const heapFlags: string[]
export declare const allocatorSettings: Record<string, string>
