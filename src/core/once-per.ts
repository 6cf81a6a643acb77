/**
 * Makes something of an object once, for as long as the object is there: of a record that is remembered it costs once, and not with
 * each look.
 */
export function oncePer<Of extends object, Made extends object>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, Made>()
  return (of) => {
    const known = made.get(of)
    if (known) return known
    const fresh = make(of)
    made.set(of, fresh)
    return fresh
  }
}
