import { Badge } from './badge.tsx'

/** Shows the color of an item next to its name; an empty circle if it has none. */
export const ColorMark = ({ color }: { color: string | null }) => (
  <span
    aria-hidden
    className="size-3 shrink-0 rounded-full border border-edge"
    style={color === null ? undefined : { backgroundColor: color }}
  />
)

/** Shows a tag with its color, if it has one. */
export const TagBadge = ({ name, color }: { name: string; color: string | undefined }) => (
  <Badge>
    {color !== undefined && <ColorMark color={color} />}
    <span className="truncate">{name}</span>
  </Badge>
)
