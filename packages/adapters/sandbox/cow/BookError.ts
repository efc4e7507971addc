/** A rejection by the order book, with the status and `errorType` of CoW's API. */
export class BookError extends Error {
  override name = "BookError"
  readonly status: number
  readonly errorType: string

  constructor(errorType: string, description: string, status = 400) {
    super(description)
    this.status = status
    this.errorType = errorType
  }
}
