import { Button, type ButtonProps } from './button.tsx'

type Props = Pick<ButtonProps, 'busy' | 'children'> & { isChanged: boolean }

/** Saves a form on a page; it is off until the form has changes. */
export const SaveButton = ({ isChanged, ...rest }: Props) => (
  <Button type="submit" variant="primary" className="self-start" disabled={!isChanged} {...rest} />
)
