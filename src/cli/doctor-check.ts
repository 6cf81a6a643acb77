import { ConfigError } from '../config.ts'

/** One finding of the doctor. A warning does not make the command fail. */
export type Check = { name: string; status: 'ok' | 'warning' | 'failed'; detail: string }

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail })
export const warning = (name: string, detail: string): Check => ({ name, status: 'warning', detail })
export const failed = (name: string, detail: string): Check => ({ name, status: 'failed', detail })

/** Runs one check; a check that throws is a failed finding. */
export async function runCheck(name: string, examine: () => Promise<Check[]> | Check[]): Promise<Check[]> {
  try {
    return await examine()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => failed(name, fault))
    const reason =
      error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error)
    return [failed(name, reason ?? 'unknown error')]
  }
}
