import { Play } from 'lucide-react'
import { classes } from '../../kit/classes.ts'
import { OVER_PICTURE } from './over-picture.ts'

/** Marks the picture of a video. The element around it is `relative`. */
export const PlayMark = ({ size, icon }: { size: string; icon: number }) => (
  <span
    aria-hidden
    data-play-mark
    className={classes(
      'pointer-events-none absolute top-1/2 left-1/2 flex -translate-1/2 items-center justify-center rounded-full',
      size,
      OVER_PICTURE,
    )}
  >
    <Play size={icon} fill="currentColor" />
  </span>
)
