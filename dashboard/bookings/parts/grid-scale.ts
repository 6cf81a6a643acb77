/** The scale of the calendar's grid: minutes of the day from top to bottom. */
export const HOUR_PX = 56
export const HOUR_MINUTES = 60
export const pixelsOf = (minutes: number): number => (minutes / HOUR_MINUTES) * HOUR_PX
export const minutesIn = (pixels: number): number => (pixels / HOUR_PX) * HOUR_MINUTES
