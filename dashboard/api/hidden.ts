/** Phone numbers and email addresses of customers that are hidden from the member's role. The server masks them. */

/** Returns whether a number or an address is masked. */
export const isHidden = (text: string | null | undefined): boolean => text?.includes('•') ?? false

/** Returns how a request names a customer: by number, or by id if the number is hidden. */
export const addressOf = (phone: string, contactId: string): string =>
  isHidden(phone) ? `contact:${contactId}` : phone
