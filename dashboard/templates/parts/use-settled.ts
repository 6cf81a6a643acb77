import { useEffect, useState } from 'react'

/** The value once it has not changed for a while. */
export function useSettled<Value>(value: Value, ms = 400): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
