/** Caches the result of `make` for each object until the object is garbage-collected. */
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
