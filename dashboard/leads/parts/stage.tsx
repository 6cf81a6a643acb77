import type { Lead } from '../../../sdk/api.ts'

/** Shows the color of a stage; its name is next to it. */
export const StageDot = ({ color }: { color: string }) => (
  <span aria-hidden className="inline-block size-2.5 shrink-0 rounded-full" style={{ background: color }} />
)

export const StageName = ({ stage }: { stage: Pick<Lead['stage'], 'name' | 'color'> }) => (
  <span className="inline-flex max-w-full items-center gap-1.5">
    <StageDot color={stage.color} />
    <span className="truncate">{stage.name}</span>
  </span>
)

/** Returns the name of a lead, otherwise the number. */
export const nameOf = ({ name, phone }: Pick<Lead, 'name' | 'phone'>): string => name ?? `+${phone}`

/** Returns whether a number or an address is hidden from the member: the server masks it. */
export const isHidden = (text: string | null | undefined): boolean => text?.includes('•') ?? false
