import type { ComponentChildren } from "preact"

interface QuoteColumnsProps {
  /** The form, and why its request failed. */
  readonly request: ComponentChildren
  /** The quote in a sentence for screen readers; null while there is none. */
  readonly summary: string | null
  /** The quote, and how to sign it. */
  readonly children?: ComponentChildren
}

/** A form, and beside it the quote that it requested. */
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
