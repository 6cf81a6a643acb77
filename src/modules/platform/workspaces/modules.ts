/** The optional parts of Parley, which are turned on for each workspace. */
export const MODULES = ['invoicing', 'bookings', 'reviews'] as const
export type Module = (typeof MODULES)[number]
