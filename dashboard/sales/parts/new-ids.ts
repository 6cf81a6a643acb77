/** Used in place of an ID for a new document. */
export const NEW_IDS = { invoice: 'new', proforma: 'new-proforma' } as const
