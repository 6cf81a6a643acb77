/** Returns whether a number or an address is hidden from the member: the server masks it. */
export const isHidden = (text: string | null | undefined): boolean => text?.includes('•') ?? false
