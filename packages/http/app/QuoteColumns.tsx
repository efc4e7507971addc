import type { ComponentChildren } from "preact"

interface QuoteColumnsProps {
  /** The form, and the error if its request failed. */
  readonly request: ComponentChildren
  /** A sentence about the quote for screen readers; null if there is no quote. */
  readonly summary: string | null
  /** The quote, with its signing controls. */
  readonly children?: ComponentChildren
}

/** A form, with the requested quote beside it. */
export const QuoteColumns = ({ children, request, summary }: QuoteColumnsProps) => (
  <div class="columns">
    <section class="stack" aria-label="Request">
      {request}
    </section>
    <section class="stack" aria-label="Quote">
      <p class="hidden" role="status">
        {summary}
      </p>
      {children}
    </section>
  </div>
)
