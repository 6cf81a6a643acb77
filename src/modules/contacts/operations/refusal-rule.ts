/** Who must not be sent to: whoever opted out, or was blocked. The rule for the process, and as SQL for a batch. */

export type ContactRefusal = 'opted_out' | 'blocked'

/** Why the contact must not be sent to; undefined: it may. */
export const refusalOf = (contact: { optInStatus: string; blocked: boolean }): ContactRefusal | undefined =>
  contact.optInStatus === 'opted_out' ? 'opted_out' : contact.blocked ? 'blocked' : undefined

/** The branches of a `case` over the row `contact` of `contacts`, by that reason. */
export const refusalCases = (contact: string): string =>
  `when ${contact}.opt_in_status = 'opted_out' then 'opted_out' when ${contact}.blocked then 'blocked'`

/** That reason as an expression; null: it may be sent to. */
export const refusalSql = (contact: string): string => `case ${refusalCases(contact)} end`

/** Whether there is such a reason. */
export const isRefusedSql = (contact: string): string =>
  `(${contact}.opt_in_status = 'opted_out' or ${contact}.blocked)`
