/** The version of the package. */
export const VERSION = '1.0.0'
