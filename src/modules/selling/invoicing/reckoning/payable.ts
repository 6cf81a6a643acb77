/** Returns the amount of a document that the customer has to pay now; 0 if none. */
export const payableOf = ({ status, balanceMinor }: { status: string; balanceMinor: number }): number =>
  status === 'issued' || status === 'partially_paid' ? Math.max(0, balanceMinor) : 0
