/** The operator's published rule of charges. Its reports decide afterwards (src/modules/reporting/billing/DECISIONS.md). */

/** Returns whether the operator charges for a template: utility templates in an open window are free. */
export const isCharged = (category: string, isWindowOpen: boolean): boolean =>
  category.toLowerCase() !== 'utility' || !isWindowOpen
