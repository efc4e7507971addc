import { Schema } from "effect"

export class UploadRefused extends Schema.TaggedError<UploadRefused>("adapters/identity/UploadRefused")(
  "UPLOAD_REFUSED",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The upload was rejected: ${this.reason}.`
  }
}

export class DocumentTooLarge extends Schema.TaggedError<DocumentTooLarge>("adapters/identity/DocumentTooLarge")(
  "DOCUMENT_TOO_LARGE",
  { maxBytes: Schema.Finite }
) {
  override get message(): string {
    return `The document has more than ${this.maxBytes} bytes. Send a smaller document.`
  }
}

export class DocumentTypeRefused extends Schema.TaggedError<DocumentTypeRefused>(
  "adapters/identity/DocumentTypeRefused"
)("DOCUMENT_TYPE_NOT_ACCEPTED", { accepted: Schema.String }) {
  override get message(): string {
    return `The document type is not accepted, by its content or its declared type. Accepted: ${this.accepted}.`
  }
}

export class DocumentExists extends Schema.TaggedError<DocumentExists>("adapters/identity/DocumentExists")(
  "DOCUMENT_ALREADY_UPLOADED",
  {}
) {
  override get message(): string {
    return "The document was already uploaded, and it can't be replaced."
  }
}

export class UploadInProgress extends Schema.TaggedError<UploadInProgress>("adapters/identity/UploadInProgress")(
  "UPLOAD_IN_PROGRESS",
  {}
) {
  override get message(): string {
    return "Another upload of this document is in progress. Wait until it ends. If it fails, upload the document again."
  }
}

export class UploadsOverloaded extends Schema.TaggedError<UploadsOverloaded>("adapters/identity/UploadsOverloaded")(
  "OVERLOADED",
  { reason: Schema.String, retryAfterSeconds: Schema.Int }
) {
  override get message(): string {
    return `The upload is not accepted now: ${this.reason}. Try again in ${this.retryAfterSeconds} s.`
  }
}

export type UploadFailure =
  | UploadRefused
  | DocumentTooLarge
  | DocumentTypeRefused
  | DocumentExists
  | UploadInProgress
  | UploadsOverloaded
