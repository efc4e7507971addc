/** A map with a maximum number of entries. If it is full, a new entry replaces the one that was set longest ago. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#maxEntries) {
      const [oldest] = this.keys()
      this.delete(oldest!)
    }
    return this
  }
}
