/** Caches the result of `create` for each object until the object is garbage-collected. */
export function oncePer<Key extends object, Value extends object>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>()
  return (key) => {
    const cached = cache.get(key)
    if (cached) return cached
    const value = create(key)
    cache.set(key, value)
    return value
  }
}
