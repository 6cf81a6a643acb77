export function asciiCode(code: string, mappings: string): { code: string; mappings: string }
