/** How CoW's order book says no. */
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
