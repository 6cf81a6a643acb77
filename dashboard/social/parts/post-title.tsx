import { classes } from '../../kit/classes.ts'
import { captionName } from './cut-caption.ts'

/** About two lines. */
const MAX_CAPTION = 200

type Props = { caption: string; onOpen: () => void; className?: string }

/** Shows the beginning of a post's caption in a list, and opens the post. */
export const PostTitle = ({ caption, onOpen, className }: Props) => (
  <button
    type="button"
    dir="auto"
    onClick={onOpen}
    className={classes(
      'flex items-start text-start font-medium break-words hover:underline pointer-coarse:min-h-11',
      className,
    )}
  >
    <span className="line-clamp-2">{captionName(caption, MAX_CAPTION)}</span>
  </button>
)
