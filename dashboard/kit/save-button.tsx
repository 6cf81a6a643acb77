import { Button, type ButtonProps } from './button.tsx'
import { classes } from './classes.ts'

type Props = Pick<ButtonProps, 'busy' | 'children'> & { isChanged: boolean; className?: string }

/** Saves a form on a page; it is off until the form has changes. On a phone, it then stays above the menu. */
export const SaveButton = ({ isChanged, className, ...rest }: Props) => (
  <Button
    type="submit"
    variant="primary"
    className={classes(
      'self-start max-sm:w-full',
      isChanged && 'max-sm:sticky max-sm:bottom-3 max-sm:z-10 max-sm:shadow-pop',
      className,
    )}
    disabled={!isChanged}
    {...rest}
  />
)
