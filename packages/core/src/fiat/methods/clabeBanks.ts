/**
 * The first three digits of CLABEs. They equal the last three digits of a participant's code in Banxico's SPEI
 * (https://www.banxico.org.mx/cep-scl/listaInstituciones.do, 2025). Accounts of merged banks keep their digits (022 GE
 * Money, 032 Ixe, 037 Interacciones, 116 ING, 131 Famsa, 134 Walmart, 139 UBS).
 */
const bankCodes: ReadonlySet<string> = new Set(
  [
    // Banxico and banks.
    "001 002 006 009 012 014 019 021 022 030 032 036 037 042 044 058 059 060 062 072",
    "102 103 106 108 110 112 113 116 124 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 143 145 147 148",
    "150 151 152 154 155 156 157 158 159 160 166 167 168",
    // Brokers, savings banks and electronic payment institutions.
    "600 601 602 604 605 606 607 608 610 611 613 614 615 616 617 618 619 620 621 622 623 624 626 627 628 629",
    "630 631 632 633 634 636 637 638 640 642 646 647 648 649 651 652 653 655 656 659 661 670 674 677 679 680 683 684 685 686 688 689 699",
    "703 706 710 715 720 721 722 723 728 729 730 732 734 738 741 748 901 902 903"
  ].flatMap((line) => line.split(" "))
)

export const isClabeOfBank = (clabe: string): boolean => bankCodes.has(clabe.slice(0, 3))
