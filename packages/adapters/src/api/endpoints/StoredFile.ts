import { Predicate } from "effect"

/** The response of an endpoint that returns a file. */
export interface StoredFile {
  /** The file name without an extension, because the extension follows from the content type. */
  readonly name: string
  readonly content: Uint8Array
}

export const isStoredFile = (value: unknown): value is StoredFile =>
  Predicate.hasProperty(value, "content") && value.content instanceof Uint8Array
