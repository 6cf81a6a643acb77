/** Stands for the id of a document that is being written. */
export const NEW = { invoice: 'new', proforma: 'new-proforma' } as const
