import { classes } from '../../kit/classes.ts'

type Props = { href: string; className?: string; children: string }

/** A link to a post or a comment on the network, in a new tab. */
export const ExternalLink = ({ href, className, children }: Props) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer noopener"
    className={classes('text-accent underline underline-offset-2', className)}
  >
    {children}
  </a>
)
