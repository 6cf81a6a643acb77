/** The look of marks over a picture, the same in light and dark mode, because the picture is. */
export const OVER_PICTURE = 'bg-[oklch(0.15_0_0/0.7)] text-[oklch(1_0_0)]'
