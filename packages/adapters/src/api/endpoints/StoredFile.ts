import { Predicate } from "effect"

/** The answer of an endpoint that returns a file. */
export interface StoredFile {
  /** Without an ending: the content type gives it. */
  readonly name: string
  readonly content: Uint8Array
}

export const isStoredFile = (value: unknown): value is StoredFile =>
  Predicate.hasProperty(value, "content") && value.content instanceof Uint8Array
