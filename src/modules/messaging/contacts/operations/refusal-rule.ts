/**
 * The contacts that must not receive messages: opted out or blocked. The rule as a function, and as SQL for
 * batches.
 */

export type ContactRefusal = 'opted_out' | 'blocked'

/** Returns why the contact must not receive messages; undefined if it may. */
export const refusalOf = (contact: { optInStatus: string; blocked: boolean }): ContactRefusal | undefined =>
  contact.optInStatus === 'opted_out' ? 'opted_out' : contact.blocked ? 'blocked' : undefined

/** Returns the branches of a `case` over the row `contact` of `contacts`, by that reason. */
export const refusalCases = (contact: string): string =>
  `when ${contact}.opt_in_status = 'opted_out' then 'opted_out' when ${contact}.blocked then 'blocked'`

/** Returns that reason as an SQL expression; null if the contact may receive messages. */
export const refusalSql = (contact: string): string => `case ${refusalCases(contact)} end`

/** Returns an SQL expression for whether there is a reason. */
export const isRefusedSql = (contact: string): string =>
  `(${contact}.opt_in_status = 'opted_out' or ${contact}.blocked)`
