/** What a customer is asked to pay of a document just now; 0 where nothing is. */
export const payableOf = ({ status, balanceMinor }: { status: string; balanceMinor: number }): number =>
  status === 'issued' || status === 'partially_paid' ? Math.max(0, balanceMinor) : 0
